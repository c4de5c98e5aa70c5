// Depth along the optical axis, what is there, and how it is met where it has a relief.
in vec2 v_uv;
flat in vec4 v_colour;
flat in int v_label;
#ifdef UNEVEN
flat in vec4 v_pinhole;
flat in float v_row;

// The cosine of incidence: on a plane the inverse of depth is linear, and its slope is the normal.
float incidence() {
    vec2 ray = (gl_FragCoord.xy - 0.5 - v_pinhole.zw) / v_pinhole.xy;
    float w = gl_FragCoord.w;
    vec2 across = vec2(dFdx(w), dFdy(w)) * v_pinhole.xy;
    vec3 normal = vec3(across, w - dot(across, ray));
    return w * inversesqrt(dot(normal, normal) * (dot(ray, ray) + 1.0));
}
#endif

void main() {
#ifdef CUT_OUT
    if (hole(v_uv, v_colour.a)) discard;
#endif
#ifdef DARK
    depth = 1.0 / 0.0;
#else
    depth = 1.0 / gl_FragCoord.w;
#endif
#ifdef LABELS
    label = v_label;
#endif
#ifdef UNEVEN
    ground = v_row + min(incidence(), 0.9999);
#elif defined(GROUND)
    ground = 0.0;
#endif
}
