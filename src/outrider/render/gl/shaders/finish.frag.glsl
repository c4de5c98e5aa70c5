// The straight image of linear light, bent by the lens and developed.
uniform sampler2D straight;
uniform sampler2D source_uv;  // of the straight image, for every pixel
out vec4 colour;

void main() {
#ifdef BENT
    vec3 light = texture(straight, texelFetch(source_uv, ivec2(gl_FragCoord.xy), 0).xy).rgb;
#else
    vec3 light = texelFetch(straight, ivec2(gl_FragCoord.xy), 0).rgb;
#endif
#ifdef FINISH
    colour = vec4(developed(light, gl_FragCoord.xy), 1.0);
#else
    colour = vec4(light, 1.0);
#endif
}
