// The ground below its mesh, as far as a pixel is smaller than its bumps: render/relief.py.
#ifdef RELIEF
uniform sampler2D relief;
in vec2 v_place;       // in tiles
flat in float v_relief;

vec3 leaning(vec3 normal) {
    vec2 right = abs(dFdx(v_place)), down = abs(dFdy(v_place)), far = max(right, down);
    float share = clamp(RELIEF_FROM - max(far.x, far.y) * RELIEF_FALL, 0.0, 1.0);
    vec2 slope = (texture(relief, v_place).rg - RELIEF_LEVEL) * (share * v_relief);
    return normalize(normal - vec3(slope, 0.0));
}
#endif
