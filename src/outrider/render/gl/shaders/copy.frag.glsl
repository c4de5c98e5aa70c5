// Depth from one map to another, among what is drawn: the driver's own copies wait for all of it.
uniform sampler2D still;

void main() { gl_FragDepth = texelFetch(still, ivec2(gl_FragCoord.xy), 0).r; }
