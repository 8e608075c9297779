//! Style sheet of figures, light and dark. Uses classes without CSS variables, which many SVG viewers do not support.

/// The style sheet of figures.
///
/// The six colours are distinguishable with colour blindness. They and the pale colour have a contrast of at least 3:1 to the
/// background. Series also differ in dashes and markers. The dark scheme applies to screens only.
pub const STYLE: &str = "\
.rs-figure{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}\
.rs-t{font-size:13px;fill:#1d2733}.rs-small{font-size:12px}.rs-soft{fill:#52606d}.rs-strong{font-weight:650}\
.rs-paper{fill:#fff}.rs-grid{stroke:#e3e8ee;stroke-width:1}.rs-axis{stroke:#8592a0;stroke-width:1}.rs-ink{stroke:#1d2733;stroke-width:1.5}\
.rs-thick{stroke:#1d2733;stroke-width:4;stroke-linecap:round}.rs-frame{fill:none;stroke:#cbd3dc}.rs-pale{fill:#8592a0}\
.rs-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.rs-mark{stroke:#fff;stroke-width:1}\
.rs-image{image-rendering:pixelated}.rs-band{fill-opacity:.16}.rs-dot{fill-opacity:.7}.rs-under{fill-opacity:.1}\
.rs-d1{stroke-dasharray:7 4}.rs-d2{stroke-dasharray:2 4}.rs-d3{stroke-dasharray:9 3 2 3}.rs-d4{stroke-dasharray:12 4}.rs-d5{stroke-dasharray:4 3}\
.rs-f0{fill:#0b6bb0}.rs-f1{fill:#c04d06}.rs-f2{fill:#007f5f}.rs-f3{fill:#a2418a}.rs-f4{fill:#8d6a00}.rs-f5{fill:#566372}\
.rs-s0{stroke:#0b6bb0}.rs-s1{stroke:#c04d06}.rs-s2{stroke:#007f5f}.rs-s3{stroke:#a2418a}.rs-s4{stroke:#8d6a00}.rs-s5{stroke:#566372}\
@media screen and (prefers-color-scheme:dark){\
.rs-t{fill:#e6ebf1}.rs-soft{fill:#a7b3c0}\
.rs-paper{fill:#161b22}.rs-grid{stroke:#2b333d}.rs-axis{stroke:#6b7888}.rs-ink{stroke:#e6ebf1}.rs-thick{stroke:#e6ebf1}.rs-frame{stroke:#3a4552}\
.rs-pale{fill:#6b7888}.rs-mark{stroke:#161b22}\
.rs-f0{fill:#6cb6f2}.rs-f1{fill:#ff9a5c}.rs-f2{fill:#4fd0a4}.rs-f3{fill:#e79bcf}.rs-f4{fill:#e8c04a}.rs-f5{fill:#a9b5c3}\
.rs-s0{stroke:#6cb6f2}.rs-s1{stroke:#ff9a5c}.rs-s2{stroke:#4fd0a4}.rs-s3{stroke:#e79bcf}.rs-s4{stroke:#e8c04a}.rs-s5{stroke:#a9b5c3}}";
