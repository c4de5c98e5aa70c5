#if defined(CUT_OUT) && defined(SAMPLES)
sample in vec2 v_uv;  // the edges of leaves are as smooth as those of things
#else
in vec2 v_uv;
#endif
flat in vec4 v_colour;

void main() {
#ifdef CUT_OUT
    if (hole(v_uv, v_colour.a)) discard;
#endif
}
