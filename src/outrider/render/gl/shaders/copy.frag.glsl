// Depth from one map to another, among what is drawn: the driver's own copies wait for all of it.
uniform sampler2D source;
uniform ivec2 shift;  // texels from a place in this map to the same in the other

void main() { gl_FragDepth = texelFetch(source, ivec2(gl_FragCoord.xy) + shift, 0).r; }
