//! Style sheet of pages: one column, light or dark by preference, white when printed.

/// The style sheet of a page.
pub(super) const PAGE: &str = "\
:root{color-scheme:light dark;--ink:#1d2733;--soft:#52606d;--paper:#fff;--line:#dbe1e8;--tint:#f2f6fa;--accent:#0b6bb0}\
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#a7b3c0;--paper:#161b22;--line:#323c48;--tint:#1e2630;--accent:#6cb6f2}}\
*{box-sizing:border-box}\
html{background:var(--paper);color:var(--ink);font:17px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;-webkit-text-size-adjust:100%}\
body{margin:0 auto;padding:2.5rem 1.25rem 3rem;max-width:48rem;overflow-wrap:anywhere;background:var(--paper)}\
p{margin:.6rem 0}\
.skip{position:absolute;left:-100rem}.skip:focus{left:1rem;top:.5rem}\
.kind{margin:0;color:var(--accent);font-weight:650;letter-spacing:.04em}\
h1{margin:.1rem 0 .2rem;font-size:1.9rem;line-height:1.2}\
.subject{margin:0;color:var(--soft)}\
h2{margin:0 0 .6rem;font-size:1.3rem;line-height:1.3}\
h3{margin:1.4rem 0 .3rem;font-size:1.05rem}\
main>section{margin-top:3rem}\
.summary{margin-top:1.6rem!important;padding:.9rem 1.2rem;background:var(--tint);border-left:4px solid var(--accent);border-radius:0 .5rem .5rem 0;font-size:1.1rem}\
nav{margin-top:1.4rem;font-size:.92rem}nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:0;padding:0;list-style:none}\
a{color:var(--accent)}\
.quiet{color:var(--soft);font-size:.92rem}\
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.3rem 1.2rem;margin:.4rem 0}dt{color:var(--soft)}dd{margin:0}\
figure{margin:1.2rem 0}figcaption{color:var(--soft);font-size:.92rem;margin-top:.3rem}\
.scroll{overflow-x:auto;max-width:100%}\
.plot svg{display:block;width:100%;max-width:43rem;height:auto}.narrow{display:none}\
details{margin-top:.4rem;font-size:.92rem}summary{cursor:pointer;color:var(--accent)}\
table{border-collapse:collapse;font-size:.92rem;min-width:100%}\
caption{text-align:left;color:var(--soft);padding:.3rem 0}\
th,td{padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word;min-width:3.5rem;max-width:22rem}\
thead th{vertical-align:bottom;color:var(--soft);font-weight:600;border-bottom-width:2px}tbody th{font-weight:600}\
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}thead .number{white-space:normal}\
ol.rules{list-style:none;margin:1rem 0;padding:0}\
ol.rules>li{margin:0 0 1rem;padding:.7rem 1rem;border:1px solid var(--line);border-radius:.5rem;break-inside:avoid}\
.rules p{margin:.25rem 0}.word{color:var(--soft);font-size:.85em;font-weight:650;letter-spacing:.05em}\
pre{overflow-x:auto;padding:.8rem 1rem;background:var(--tint);border-radius:.5rem;font-size:.88rem;white-space:pre-wrap}\
code{font-family:ui-monospace,'Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}\
ul.warnings{padding-left:1.2rem}\
footer{margin-top:3.5rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--soft);font-size:.88rem}\
@media screen and (max-width:36rem){.wide:not(.only){display:none}.narrow{display:block}.narrow svg{max-width:26rem}.only{overflow-x:auto}.only svg{min-width:31rem}}\
@media (max-width:30rem){html{font-size:16px}body{padding-top:1.5rem}h1{font-size:1.55rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}\
@media print{html{font-size:11pt}body{max-width:none;padding:0}nav,.skip,summary{display:none}main>section{margin-top:1.6rem}\
.plot svg{width:auto;max-width:100%;max-height:20cm}.scroll{overflow:visible}\
.many{font-size:8pt}.most{font-size:5.5pt}.many th,.many td{min-width:0;padding:.15rem .2rem .15rem 0}.many .number{white-space:normal;overflow-wrap:anywhere}figure,table,tr,.summary,dl{break-inside:avoid}h2,h3,main>section>p{break-after:avoid}pre{border:1px solid var(--line)}}";
