import { quantileShares } from './load-options.ts'
import type { InitiateFigures, LedgerFigures, Results } from './results.ts'

const width = 900
const left = 250
const right = 40
const barHeight = 18
const rowHeight = 28
const panelGap = 64
const titleGap = 14
const curveHeight = 220
const colors = ['#2563eb', '#d97706', '#059669', '#7c3aed', '#6b7280'] as const
const ink = '#111827'
const faint = '#4b5563'
const line = '#e5e7eb'
const plotWidth = width - left - right

/** Transfers a second that the ledger should reach on two cores. */
const ledgerTarget = 5_000

interface Panel {
  height: number
  draw(top: number): string[]
}

/** The figures as one picture: a panel for each part that was measured. */
export function drawResults({ initiate, ledger }: Results): string {
  const panels: Panel[] = [
    ...(initiate ? [processorPanel(initiate.figures), latencyPanel(initiate.figures)] : []),
    ...(ledger ? [ledgerPanel(ledger.figures)] : []),
  ]
  let top = 40
  const drawn = panels.flatMap((panel) => {
    const elements = panel.draw(top)
    top += panel.height + panelGap
    return elements
  })
  const height = top - panelGap + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n')
}

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes || `fill="${ink}"`}>${escapeText(content)}</text>`
const title = (top: number, content: string): string =>
  text(20, top - titleGap, content, `font-weight="600" fill="${ink}"`)
const label = (y: number, content: string): string =>
  text(left - 10, y + barHeight - 5, content, `text-anchor="end" fill="${ink}"`)
const bar = (x: number, y: number, length: number, color: string): string =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, length).toFixed(1)}" height="${barHeight}" fill="${color}"/>`
const escapeText = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Stacked bars of processor time, which says more than a rate on a machine that does other work too. */
function processorPanel({ rows, sql }: InitiateFigures): Panel {
  const bars = [
    ...rows.map(({ organizations, full }) => ({
      name: organizationsText(organizations),
      ...full,
    })),
    { name: 'the SQL alone', ...sql },
  ]
  const names = [...new Set(bars.flatMap(({ eachMs }) => Object.keys(eachMs)))]
  const colorOf = (name: string): string => colors[names.indexOf(name) % colors.length] ?? ink
  const longest = Math.max(...bars.map(({ eachMs }) => sumOf(eachMs)))
  const scale = (plotWidth - 110) / longest
  return {
    height: (bars.length + 1) * rowHeight,
    draw: (top) => [
      title(top, 'Processor time per initiated payment, and payments per second'),
      ...bars.flatMap(({ name, eachMs, perSecond }, index) => {
        const y = top + index * rowHeight
        let x = left
        const pieces = Object.entries(eachMs).map(([process, ms]) => {
          const piece = bar(x, y, ms * scale, colorOf(process))
          x += ms * scale
          return piece
        })
        const shown = `${sumOf(eachMs).toFixed(1)} ms, ${perSecond.toFixed(0)}/s`
        return [label(y, name), ...pieces, text(x + 8, y + barHeight - 5, shown)]
      }),
      ...names.flatMap((name, index) => {
        const [x, y] = [left + index * 120, top + bars.length * rowHeight + 4]
        return [bar(x, y, 14, colorOf(name)), text(x + 20, y + barHeight - 5, name)]
      }),
    ],
  }
}

const organizationsText = (count: number): string =>
  `${count} ${count === 1 ? 'organisation' : 'organisations'}`

const sumOf = (eachMs: Readonly<Record<string, number>>): number =>
  Object.values(eachMs).reduce((sum, ms) => sum + ms, 0)

/** The latency up to each share of the payments; both axes are logarithmic, so that the slow end can be read. */
function latencyPanel({ rows, steadyPerSecond }: InitiateFigures): Panel {
  const values = rows.flatMap(({ steady }) => steady.quantilesMs)
  const [low, high] = [Math.min(...values) / 1.2, Math.max(...values) * 1.2]
  const first = Math.log(1 - quantileShares[0])
  const last = Math.log(1 - (quantileShares.at(-1) ?? 0))
  const x = (share: number): number => left + ((Math.log(1 - share) - first) / (last - first)) * plotWidth
  const y = (ms: number, top: number): number =>
    top + curveHeight * (1 - Math.log(ms / low) / Math.log(high / low))
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000].filter((ms) => ms >= low && ms <= high)
  return {
    height: curveHeight + rowHeight,
    draw: (top) => [
      title(top, `Latency of a payment at ${steadyPerSecond} per second, up to each share of the payments`),
      ...ticks.flatMap((ms) => [
        `<line x1="${left}" x2="${left + plotWidth}" y1="${y(ms, top).toFixed(1)}" y2="${y(ms, top).toFixed(1)}" stroke="${line}"/>`,
        text(left - 8, y(ms, top) + 4, `${ms} ms`, `text-anchor="end" fill="${faint}"`),
      ]),
      ...quantileShares.map((share) =>
        text(x(share), top + curveHeight + 20, `${100 * share} %`, `text-anchor="middle" fill="${faint}"`),
      ),
      ...rows.flatMap(({ organizations, steady }, index) => {
        const color = colors[index % colors.length] ?? ink
        const path = steady.quantilesMs
          .map(
            (ms, place) =>
              `${place === 0 ? 'M' : 'L'}${x(quantileShares[place] ?? 0).toFixed(1)} ${y(ms, top).toFixed(1)}`,
          )
          .join('')
        const at = top + 12 + index * 20
        return [
          `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
          bar(20, at - 13, 14, color),
          text(40, at, organizationsText(organizations)),
        ]
      }),
    ],
  }
}

function ledgerPanel({ rows }: LedgerFigures): Panel {
  const longest = Math.max(ledgerTarget, ...rows.map(({ perSecond }) => perSecond))
  const scale = (plotWidth - 70) / longest
  const targetX = (left + ledgerTarget * scale).toFixed(1)
  return {
    height: rows.length * rowHeight + 20,
    draw: (top) => [
      title(top, 'Ledger: transfers per second, one or several in a transaction'),
      ...rows.flatMap(({ name, perCall, perSecond }, index) => {
        const y = top + index * rowHeight
        const color = perCall === 1 ? colors[0] : colors[1]
        return [
          label(y, `${name}, ${perCall}`),
          bar(left, y, perSecond * scale, color),
          text(left + perSecond * scale + 8, y + barHeight - 5, Math.round(perSecond).toLocaleString('en')),
        ]
      }),
      `<line x1="${targetX}" x2="${targetX}" y1="${top - 4}" y2="${top + rows.length * rowHeight}" stroke="${faint}" stroke-dasharray="4 3"/>`,
      text(
        Number(targetX),
        top + rows.length * rowHeight + 16,
        ledgerTarget.toLocaleString('en'),
        `text-anchor="middle" fill="${faint}"`,
      ),
    ],
  }
}
