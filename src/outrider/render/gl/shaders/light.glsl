// How light falls: light.py says it in words.
#ifdef SHADOWS
in vec3 v_shadow[SHADOWS];  // metres from the camera across, and depth, in each light's frame

// Return how much of a light arrives: looked up in the smallest square that holds the point.
#if LEVELS == 1
float lit(const int n, sampler2DShadow whole) { return texture(whole, v_shadow[n]); }  // its own frame
#else
float lit(const int n, sampler2DShadow atlas) {
    vec3 q = v_shadow[n];
    float far = max(abs(q.x), abs(q.y)), scale = SHADOW_SCALE[LEVELS - 1];
    int best = LEVELS - 1;
    for (int k = LEVELS - 2; k >= 0; --k) {
        best = far < SHADOW_REACH[k] ? k : best;
        scale = far < SHADOW_REACH[k] ? SHADOW_SCALE[k] : scale;
    }
    vec2 middle = shadow_level[n * 7 + best].xy;
    float found = texture(atlas, vec3(q.xy * (scale * vec2(1.0, ATLAS_RATIO)) + middle, q.z));
    return far < SHADOW_REACH[LEVELS - 1] ? found : 1.0;
}
#endif
#endif

vec3 from_sun(const int i, vec3 normal) {
    return LIGHT_COLOUR[i] * max(dot(normal, TOWARDS[i]), 0.0);
}

vec3 from_lamp(const int i, const bool spot, vec3 place, vec3 towards, vec3 point, vec3 normal) {
    vec3 way = place - point;
    float square = dot(way, way), far = sqrt(max(square, 1e-12));
    float share = far / LIGHT_RANGE[i];
    float fade = max(0.0, 1.0 - share * share * share * share);
    float strength = max(0.0, dot(way, normal) / far) * fade * fade / max(square, 1.0);
    if (spot) {
        strength *= smoothstep(SPOT_OUTER, SPOT_INNER, dot(way, towards) / far);
    }
    return LIGHT_COLOUR[i] * strength;
}

vec3 lighted(vec3 normal) {
    vec3 sum = AMBIENT * (UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normal.z));
    ADD_LIGHTS
    return sum;
}

vec3 hazed(vec3 colour) {
#ifdef HAZE
    return mix(HORIZON, colour, exp(-HAZE * distance(v_position, eye.xyz)));
#else
    return colour;
#endif
}
