// Textures hold square roots of linear light: decoded by one multiplication.
uniform sampler2D picture;

#ifdef TAPS
// Several taps along the longer side of a pixel, as texture_kernels.py does it.
vec4 sampled(vec2 uv) {
    vec2 size = vec2(textureSize(picture, 0));
    vec2 right = dFdx(uv), down = dFdy(uv);
    vec2 a = right * size, b = down * size;
    float across = dot(a, a), along = dot(b, b);
    vec2 way = across > along ? right : down;
    float longer = max(across, along), shorter = max(min(across, along), 1.0);
    float ratio = longer / shorter;
    if (ratio < 2.0) {
        return textureLod(picture, uv, 0.5 * log2(max(longer, 1.0)));
    }
    int taps = ratio < 6.0 ? 2 : TAPS;
    float lod = 0.5 * log2(max(longer, 1.0)) - log2(float(taps));
    vec4 sum = vec4(0.0);
    for (int i = 0; i < taps; ++i) {
        sum += textureLod(picture, uv + ((float(i) + 0.5) / float(taps) - 0.5) * way, lod);
    }
    return sum / float(taps);
}
#else
vec4 sampled(vec2 uv) { return texture(picture, uv); }
#endif
