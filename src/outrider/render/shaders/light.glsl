// How light falls: light.py says it in words.
#ifdef SHADOWS
in vec3 v_shadow[SHADOWS];  // metres across and depth, in each light's frame

// Return how much of a light arrives: looked up in the smallest square that holds the place.
float lit(const int n, sampler2DShadow atlas) {
    vec3 q = v_shadow[n];
    vec2 off = abs(q.xy - shadow_eye[n].xy);
    float far = max(off.x, off.y);
    vec3 level = shadow_level[n * 6 + LEVELS - 1].xyz;
    for (int k = LEVELS - 2; k >= 0; --k) {
        level = far < shadow_level[n * 6 + k].w ? shadow_level[n * 6 + k].xyz : level;
    }
    float found = texture(atlas, vec3(q.xy * level.z * vec2(1.0, ATLAS_RATIO) + level.xy, q.z));
    return far < shadow_eye[n].z ? found : 1.0;
}
#endif

vec3 from_sun(const int i, vec3 normal) {
    return light_colour[i].rgb * max(dot(normal, towards[i].xyz), 0.0);
}

vec3 from_lamp(const int i, const bool spot, vec3 place, vec3 normal) {
    vec3 way = light_place[i].xyz - place;
    float square = dot(way, way), far = sqrt(max(square, 1e-12));
    float share = far / light_colour[i].w;
    float fade = max(0.0, 1.0 - share * share * share * share);
    float strength = max(0.0, dot(way, normal) / far) * fade * fade / max(square, 1.0);
    if (spot) {
        strength *= smoothstep(SPOT_OUTER, SPOT_INNER, dot(way, towards[i].xyz) / far);
    }
    return light_colour[i].rgb * strength;
}

vec3 lighted(vec3 normal) {
    vec3 sum = ambient.rgb * (UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normal.z));
    ADD_LIGHTS
    return sum;
}

vec3 hazed(vec3 colour) {
#ifdef HAZE
    return mix(horizon.rgb, colour, exp(-eye.w * distance(v_place, eye.xyz)));
#else
    return colour;
#endif
}
