// Depth along the optical axis, and what is there.
in vec2 v_uv;
flat in vec4 v_colour;
flat in int v_label;
layout(location = 0) out float depth;
layout(location = 1) out int label;

void main() {
#ifdef CUT_OUT
    if (hole(v_uv, v_colour.a)) discard;
#endif
    depth = 1.0 / gl_FragCoord.w;
    label = v_label;
}
