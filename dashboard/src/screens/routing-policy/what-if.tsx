import type { RoutingSimulation } from '@switchyard/sdk'
import { useState, type FormEvent, type ReactElement } from 'react'
import { whatIf as text } from '../../messages/generated/texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Failure } from '../../ui/form-dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { Panel } from '../../ui/page.tsx'
import { readForm } from '../../ui/read-form.ts'
import { EmptyState } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import type { Policy } from './policy.ts'
import styles from './policy.module.css'
import { isOver, useSimulation } from './use-simulation.ts'
import { WhatIfResult } from './what-if-result.tsx'

const firstPeriod = '30'
const periods = new Map(Object.entries(text.periods))

/** What the draft in the editor would have done with the payments of a period. */
export function WhatIf({ policy }: { policy: Policy }): ReactElement {
  const { simulation, error, isStarting, start } = useSimulation()
  const [period, setPeriod] = useState(firstPeriod)
  const isRunning = isStarting || (simulation !== undefined && !isOver(simulation))
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    start(policy, Number(readForm(event)('period')))
  }
  return (
    <div className={styles.stack}>
      <p className={ui.muted}>{text.text}</p>
      <form className={styles.run} onSubmit={onSubmit}>
        <SelectField
          name="period"
          label={text.period}
          options={periods}
          value={period}
          onChange={({ target }) => setPeriod(target.value)}
        />
        <Button type="submit" isPrimary disabled={isRunning}>
          {text.run}
        </Button>
      </form>
      {error && <Failure error={error} />}
      {simulation && !isOver(simulation) && <Progress simulation={simulation} />}
      {simulation?.status === 'failed' && (
        <p className={ui.refusal} role="alert">
          {text.failed} {simulation.failure}
        </p>
      )}
      {simulation?.result && <Result simulation={simulation} />}
    </div>
  )
}

function Progress({ simulation }: { simulation: RoutingSimulation }): ReactElement {
  const { payments_read: read, payments_total: total } = simulation.progress
  return (
    <div role="status" className={styles.progress}>
      <progress
        aria-label={text.progress}
        {...(total !== null && { value: read, max: Math.max(total, 1) })}
      />
      <span className={ui.muted}>
        {total === null ? text.queued : text.counted(formatCount(read), formatCount(total))}
      </span>
    </div>
  )
}

const Result = ({ simulation: { result } }: { simulation: RoutingSimulation }): ReactElement =>
  result && result.payments > 0 ? (
    <WhatIfResult result={result} />
  ) : (
    <Panel>
      <EmptyState
        title={text.none}
        {...(result && result.skipped > 0 && { text: text.skipped(result.skipped) })}
      />
    </Panel>
  )
