import { correction, generate } from 'lean-qr'

const quietZone = 4

/** Draws a QR code. Its colours are fixed, because cameras expect dark modules on a light background. */
export function qrCode(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const size = code.size + 2 * quietZone
  const rows = Array.from({ length: code.size }, (_, y) => runsOf((x) => code.get(x, y), code.size, y))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${rows.join('')}"/></svg>`
}

/** One rectangle for each run of dark modules. */
function runsOf(isDark: (x: number) => boolean, size: number, y: number): string {
  let path = ''
  for (let x = 0; x < size; x++) {
    const start = x
    while (x < size && isDark(x)) x++
    if (x > start) path += `M${start + quietZone} ${y + quietZone}h${x - start}v1h-${x - start}z`
  }
  return path
}
