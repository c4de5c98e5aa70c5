void main() {
    depth = 1.0 / 0.0;
#ifdef LABELS
    label = 0;
#endif
#ifdef GROUND
    ground = 0.0;
#endif
}
