// Lights that bodies carry; compiled in only where there are some.
#ifdef CARRIED
layout(std140) uniform Lamps {
    vec4 lamp_position[8];
    vec4 lamp_towards[8];
    mat4 lamp_frame[8];  // clip space of each spot from the world
};

float unshaded(const int k, sampler2DShadow map, vec3 point) {
    vec4 at = lamp_frame[k] * vec4(point, 1.0);
    return at.w > 0.0 ? texture(map, vec3(at.xy / at.w * 0.5 + 0.5, at.z / at.w)) : 0.0;
}
#endif
