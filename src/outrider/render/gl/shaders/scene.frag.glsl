in vec3 v_normal;
in vec2 v_uv;
flat in vec4 v_colour;
out vec4 colour;

void main() {
#ifdef TEXTURED
    vec3 surface = painted(v_uv);
#else
    vec3 surface = v_colour.rgb;
#endif
    // the image is drawn upside down: what counts as the back is the front
    vec3 outward = gl_FrontFacing ? -v_normal : v_normal;
#ifdef RELIEF
    vec3 arriving = lighted(leaning(outward));
#else
    vec3 arriving = lighted(normalize(outward));
#endif
#ifdef WET
    vec3 normal = normalize(outward);
    vec3 light = hazed(soaked(surface, normal) * arriving + mirrored(normal));
#else
    vec3 light = hazed(surface * arriving);
#endif
#ifdef PANE
    colour = vec4(light, v_colour.a * opacity_at(v_uv));
#elif defined(FINISH)
    colour = vec4(developed(light, gl_FragCoord.xy), 1.0);
#else
    colour = vec4(light, 1.0);
#endif
}
