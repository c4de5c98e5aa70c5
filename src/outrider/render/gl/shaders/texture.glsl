// Textures hold square roots of linear light: decoded by one multiplication.
#ifdef DIRECTED
#define FILTERED sampler2DArray
#else
#define FILTERED sampler2D
#endif
#if defined(DETAIL) || defined(LEAVES)
uniform sampler2D picture;
#else
uniform FILTERED picture;
#endif
uniform FILTERED detail;
#ifdef DETAIL
flat in vec2 v_repeat;  // how often the detail fits into the picture
#endif
uniform sampler2D opacity;  // without smaller copies: holes are looked for in the largest

#ifdef DIRECTED
// One place in the copy that is smeared along the longer side of the pixel (texture_directed.py),
// from a level half as coarse as that side asks for (gl/textures.py).
vec4 sampled(sampler2DArray image, vec2 uv) {
    vec2 right = dFdx(uv), down = dFdy(uv);
    vec2 way = dot(right, right) > dot(down, down) ? right : down;
    vec2 size = abs(way);
    float straight = size.x > size.y ? 0.0 : 2.0, slanted = way.x * way.y > 0.0 ? 1.0 : 3.0;
    bool along = max(size.x, size.y) > 2.414 * min(size.x, size.y);
    return texture(image, vec3(uv, along ? straight : slanted));
}
#else
vec4 sampled(sampler2D image, vec2 uv) { return texture(image, uv); }
#endif

bool hole(vec2 uv, float share) { return texture(opacity, uv).r * share < CUT; }

#ifdef PANE
float opacity_at(vec2 uv) {
#ifdef TEXTURED
    return sampled(picture, uv).a;
#else
    return 1.0;
#endif
}
#endif

vec3 painted(vec2 uv) {
#ifdef LEAVES
    vec3 root = texture(picture, uv).rgb;
    return root * root;
#elif defined(DETAIL)
    // rows are counted from the top, copies of the detail from the bottom
    vec2 at = uv * v_repeat + vec2(0.0, 1.0 - v_repeat.y), up = vec2(at.x, 1.0 - at.y);
    vec2 turned = vec2(TURN_X * up.x - TURN_Y * up.y, 1.0 - TURN_Y * up.x - TURN_X * up.y);
    vec3 both = sampled(detail, at).rgb + sampled(detail, turned).rgb;
    vec3 root = texture(picture, uv).rgb * fma(both, vec3(MIX), vec3(MIX_REST));
    return root * root * (1.0 / DETAIL_MEAN);
#else
    vec3 root = sampled(picture, uv).rgb;
    return root * root;
#endif
}
