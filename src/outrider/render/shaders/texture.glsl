// Textures hold square roots of linear light: decoded by one multiplication.
uniform sampler2D picture;
uniform sampler2D detail;
#ifdef DETAIL
flat in vec2 v_repeat;  // how often the detail fits into the picture
#endif
uniform sampler2D opacity;  // without smaller copies: holes are looked for in the largest

#ifdef TAPS
// Taps along the longer side of a pixel, from a level as fine as so many of them cover.
vec4 sampled(sampler2D image, vec2 uv) {
    vec2 right = dFdx(uv), down = dFdy(uv);
    vec2 way = dot(right, right) > dot(down, down) ? right : down;
    right /= float(TAPS);
    down /= float(TAPS);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < TAPS; ++i) {
        vec2 place = uv + ((float(i) + 0.5) / float(TAPS) - 0.5) * way;
        sum += textureGrad(image, place, right, down);
    }
    return sum / float(TAPS);
}
#else
vec4 sampled(sampler2D image, vec2 uv) { return texture(image, uv); }
#endif

bool hole(vec2 uv, float share) { return texture(opacity, uv).r * share < CUT; }

vec3 painted(vec2 uv) {
#ifdef LEAVES
    vec3 root = texture(picture, uv, -0.5).rgb;  // leaves face all ways: one tap is enough
    return root * root;
#elif defined(DETAIL)
    // rows are counted from the top, copies of the detail from the bottom
    vec3 root = texture(picture, uv).rgb * sampled(detail, uv * v_repeat + vec2(0.0, 1.0 - v_repeat.y)).rgb;
    return root * root * (1.0 / DETAIL_MEAN);
#else
    vec3 root = sampled(picture, uv).rgb;
    return root * root;
#endif
}
