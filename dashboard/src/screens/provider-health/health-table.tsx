import type { ProviderHealth } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { health as text, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { formatCount, formatSeries, formatShare } from '../../ui/format.ts'
import { Table, type Column } from '../../ui/list-page.tsx'
import ui from '../../ui/ui.module.css'
import styles from './health.module.css'

export const HealthTable = ({ rows }: { rows: readonly ProviderHealth[] }): ReactElement => (
  <Table title={text.title} columns={columns} rows={rows} keyOf={({ account_id }) => account_id} />
)

const shownDeclines = 3

/** An unknown outcome is not a failure, so it has its own pattern. */
const parts = ['succeeded', 'accepted', 'sending', 'unknown', 'not_sent', 'declined', 'failed'] as const
type Outcomes = ProviderHealth['outcomes']

const describe = (outcomes: Outcomes): string =>
  formatSeries(
    parts
      .filter((part) => outcomes[part] > 0)
      .map((part) => `${formatCount(outcomes[part])} ${text.names[part]}`),
  )

const barWidth = 160

/** The outcomes of the attempts as a bar, with the same figures as text. */
function OutcomeBar({ outcomes }: { outcomes: Outcomes }): ReactElement {
  const total = parts.reduce((sum, part) => sum + outcomes[part], 0)
  const starts = parts.map((_part, index) =>
    parts.slice(0, index).reduce((sum, part) => sum + outcomes[part], 0),
  )
  return (
    <div className={styles.outcomes}>
      <svg viewBox={`0 0 ${barWidth} 8`} className={styles.bar} preserveAspectRatio="none" aria-hidden="true">
        {parts.map(
          (part, index) =>
            outcomes[part] > 0 && (
              <rect
                key={part}
                className={styles[part]}
                x={((starts[index] ?? 0) / total) * barWidth}
                width={(outcomes[part] / total) * barWidth}
                height="8"
              />
            ),
        )}
      </svg>
      <span className={styles.words}>{describe(outcomes)}</span>
    </div>
  )
}

const columns: readonly Column<ProviderHealth>[] = [
  {
    label: text.provider,
    cell: ({ provider, custody }) => (
      <span className={styles.provider}>
        {nameOf(terms.provider, provider)}
        <span className={styles.words}>{nameOf(text.custody, custody)}</span>
      </span>
    ),
  },
  {
    label: text.success,
    isEnd: true,
    cell: ({ success_rate }) => (
      <span className={ui.number}>{success_rate === null ? '–' : formatShare(success_rate)}</span>
    ),
  },
  {
    label: text.attempts,
    isEnd: true,
    cell: ({ attempts }) => <span className={ui.number}>{formatCount(attempts)}</span>,
  },
  { label: text.outcomes, cell: ({ outcomes }) => <OutcomeBar outcomes={outcomes} /> },
  {
    label: text.declines,
    cell: ({ declines }) =>
      declines.length === 0 ? (
        <span className={ui.muted}>{text.none}</span>
      ) : (
        <span className={styles.declines}>
          {formatSeries(
            declines.slice(0, shownDeclines).map(({ code, count }) => `${code} ${formatCount(count)}`),
          )}
        </span>
      ),
  },
  {
    label: `${text.latency} (${text.percentiles})`,
    isEnd: true,
    cell: ({ seconds_to_outcome: seconds }) => (
      <span className={ui.number}>
        {seconds === null ? '–' : formatSeries([text.seconds(seconds.p50), text.seconds(seconds.p95)])}
      </span>
    ),
  },
]
