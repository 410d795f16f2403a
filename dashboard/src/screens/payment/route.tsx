import type { TimelineEntry } from '@switchyard/sdk'
import type { ReactElement } from 'react'
import { payment as text, policyRule, routingDecision as words } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge } from '../../ui/badge.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatMoney, formatShare } from '../../ui/format.ts'
import { Panel } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import { candidatesOf, decisionOf, providerName, type Candidate, type Decision } from './entries.ts'
import styles from './payment.module.css'

/** The providers in the order in which they were tried, and why the others were skipped. */
export function Route({ entries }: { entries: readonly TimelineEntry[] }): ReactElement {
  const candidates = candidatesOf(entries)
  const decision = decisionOf(entries)
  const taken = candidates.filter((candidate) => candidate.taken)
  return (
    <Panel title={text.route}>
      {candidates.length === 0 && <p className={styles.nothing}>{text.noRoute}</p>}
      {candidates.length > 0 && <DecisionFacts decision={decision} />}
      <ol className={styles.rows} aria-label={text.route}>
        {candidates.map((candidate, index) => (
          <li key={index} className={candidate.taken ? '' : ui.muted}>
            <span className={styles.rowTitle}>
              {candidate.taken ? (
                <span className={styles.rank}>{taken.indexOf(candidate) + 1}</span>
              ) : (
                <span className={styles.skipped}>
                  <Badge tone="neutral" text={words.skipped} />
                </span>
              )}
              {providerName(candidate.provider)}
            </span>
            <FiguresOf candidate={candidate} currency={decision?.cost_currency ?? ''} />
            <span className={ui.muted}>{candidate.reason}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const DecisionFacts = ({ decision }: { decision: Decision | undefined }): ReactElement => (
  <Facts
    facts={[
      {
        label: words.policy,
        value:
          decision === undefined || decision.policy === null
            ? words.none
            : words.versionOf(nameOf(words.policies, decision.policy), decision.version ?? 0),
      },
      { label: words.rule, value: decision && (decision.rule ?? words.noRule) },
      { label: words.strategy, value: decision && nameOf(policyRule.strategies, decision.strategy) },
      { label: words.exploration, value: decision?.is_exploration === true && words.explored },
    ]}
  />
)

const fullShare = 100
const barHeight = 4

/** The figure that the strategy compared, as text; shares and rates also have a bar. */
function FiguresOf({
  candidate,
  currency,
}: {
  candidate: Candidate
  currency: string
}): ReactElement | undefined {
  const { share_percent: share, success_rate: rate, attempts = 0, cost } = candidate.figures ?? {}
  if (share !== undefined) return <Bar percent={Number(share)} label={words.share(String(share))} />
  if (rate !== undefined)
    return (
      <Bar
        percent={Number(rate) * fullShare}
        label={words.successRate(formatShare(String(rate)), Math.round(Number(attempts)))}
      />
    )
  return cost === undefined ? undefined : <span>{words.cost(formatMoney(String(cost), currency))}</span>
}

const Bar = ({ percent, label }: { percent: number; label: string }): ReactElement => (
  <span className={styles.figure}>
    {label}
    <svg viewBox={`0 0 ${fullShare} ${barHeight}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.figureGround} width={fullShare} height={barHeight} />
      <rect className={styles.figureBar} width={percent} height={barHeight} />
    </svg>
  </span>
)
