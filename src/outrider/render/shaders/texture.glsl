// Textures hold square roots of linear light: decoded by one multiplication.
uniform sampler2D picture;

#ifdef TAPS
// Taps along the longer side of a pixel, from a level as fine as so many of them cover.
vec4 sampled(vec2 uv) {
    vec2 right = dFdx(uv), down = dFdy(uv);
    vec2 way = dot(right, right) > dot(down, down) ? right : down;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; ++i) {
        sum += texture(picture, uv + ((float(i) + 0.5) / float(TAPS) - 0.5) * way, -log2(float(TAPS)));
    }
    return sum / float(TAPS);
}
#else
vec4 sampled(vec2 uv) { return texture(picture, uv); }
#endif
