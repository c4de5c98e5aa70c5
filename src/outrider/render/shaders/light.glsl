// How light falls: light.py says it in words.
#ifdef SHADOWS
uniform sampler2DShadow shadow_atlas[SHADOWS];

float lit(const int n, vec3 place) {
    vec3 q = (shadow_frame[n] * vec4(place, 1.0)).xyz;
    vec4 level = vec4(0.0);
    vec3 shift = vec3(-9.0);
    for (int k = LEVELS - 1; k >= 0; --k) {
        vec4 candidate = shadow_level[n * 6 + k];
        vec2 off = abs(q.xy - candidate.xy);
        bool within = max(off.x, off.y) < candidate.z;
        level = within ? candidate : level;
        shift = within ? shadow_shift[n * 6 + k].xyz : shift;
    }
    return shift.x < -8.0 ? 1.0 : texture(shadow_atlas[n], vec3(q.xy * vec2(level.w, shift.z) + shift.xy, q.z));
}
#endif

vec3 from_light(const int i, vec3 place, vec3 normal) {
    vec3 to = towards[i].xyz;
    float kind = towards[i].w;
    if (kind < 0.5) {
        return light_colour[i].rgb * max(dot(normal, to), 0.0);
    }
    vec3 way = light_place[i].xyz - place;
    float square = dot(way, way), far = sqrt(max(square, 1e-12));
    float near = far / light_colour[i].w;
    float fade = max(0.0, 1.0 - near * near * near * near);
    float strength = max(0.0, dot(way, normal) / far) * fade * fade / max(square, 1.0);
    if (kind > 1.5) {
        strength *= smoothstep(SPOT_OUTER, SPOT_INNER, dot(way, to) / far);
    }
    return light_colour[i].rgb * strength;
}

vec3 lighted(vec3 place, vec3 normal) {
    vec3 sum = ambient.rgb * (UNDER + (1.0 - UNDER) * 0.5 * (1.0 + normal.z));
    ADD_LIGHTS
    return sum;
}

vec3 hazed(vec3 colour, vec3 place) {
#ifdef HAZE
    return mix(horizon.rgb, colour, exp(-eye.w * distance(place, eye.xyz)));
#else
    return colour;
#endif
}
