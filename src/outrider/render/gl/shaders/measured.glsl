// The images of a measurement: depth, and those that are wanted.
layout(location = 0) out float depth;
#ifdef LABELS
layout(location = 1) out int label;
#define GROUND_AT 2
#else
#define GROUND_AT 1
#endif
#ifdef GROUND
layout(location = GROUND_AT) out float ground;
#endif
