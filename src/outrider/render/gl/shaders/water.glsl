// Water on the ground: wet.py says it in words, embree/weather.py has the same for rays.
#ifdef WET
uint stirred(uint v) {  // pcg of hash_noise.py
    uint s = v * 747796405u + 2891336453u;
    uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
    return (w >> 22u) ^ w;
}

float cell_noise(vec2 cell) {
    uvec2 q = uvec2(ivec2(cell));
    return float(stirred(q.x + stirred(q.y)) & 65535u) / 65535.0;
}

// How deep the water stands: pools of some metres, 0 to 1.
float pool(vec2 at) {
    vec2 cell = floor(at), part = at - cell;
    part = part * part * (3.0 - 2.0 * part);
    float low = mix(cell_noise(cell), cell_noise(cell + vec2(1.0, 0.0)), part.x);
    float high = mix(cell_noise(cell + vec2(0.0, 1.0)), cell_noise(cell + vec2(1.0, 1.0)), part.x);
    return smoothstep(POOL_FROM, POOL_FULL, mix(low, high, part.y));
}

float level_share(vec3 normal) { return clamp((normal.z - 0.7) / 0.25, 0.0, 1.0); }

vec3 soaked(vec3 surface, vec3 normal) {
    float share = level_share(normal);
    return mix(surface * (1.0 - DARKER * WET * share), SNOW_COLOUR, SNOW * share);
}

vec3 mirrored(vec3 normal) {
    float share = level_share(normal) * (WET * (1.0 - SNOW));
    share *= FILM + (1.0 - FILM) * pool(v_position.xy / POOL_M);
    vec3 ray = normalize(v_position - eye.xyz);
    float facing = clamp(-dot(ray, normal), 0.0, 1.0), grazing = 1.0 - facing;
    float square = grazing * grazing;
    float fresnel = min(MOST, 0.02 + 0.98 * square * square * grazing);
    float rise = 1.0 - clamp(ray.z + 2.0 * facing * normal.z, 0.0, 1.0);
    rise *= rise;
    return mix(SKY, HORIZON, rise * rise) * (share * fresnel);
}
#endif
