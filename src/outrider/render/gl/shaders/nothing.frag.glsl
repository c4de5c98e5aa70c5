layout(location = 0) out float depth;
layout(location = 1) out int label;

void main() {
    depth = 1.0 / 0.0;
    label = 0;
}
