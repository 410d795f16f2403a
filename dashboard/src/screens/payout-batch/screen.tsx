import type { PayoutBatchWithProgress } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { payoutBatches as text } from '../../messages/generated/texts.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatCount } from '../../ui/format.ts'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { BatchBadge } from '../payout-batches/batch-badge.tsx'
import { Totals } from '../payout-batches/totals.tsx'
import { BatchActions } from './actions.tsx'
import { BatchRows } from './rows.tsx'

/** The live stream announces payments but not their batch, so the batch is polled. */
const pollMs = 3_000
const isMoving = (status: string | undefined): boolean => status === 'approved' || status === 'sending'

export function Screen(): ReactElement {
  const { batchId = '' } = useParams()
  const [isOvertaken, setOvertaken] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['payout-batches', 'one', batchId],
    queryFn: ({ signal }) => api.payoutBatches.get(batchId, { signal }),
    refetchInterval: ({ state }) => isMoving(state.data?.status) && pollMs,
  })
  return (
    <Page
      title={data?.description ?? `${text.page} ${batchId.slice(0, 8)}`}
      aside={
        <div className={work.row}>
          {data && (
            <ExportButton
              csv={() => api.payoutBatches.downloadResults(batchId)}
              name={text.results}
              isDisabled={false}
            />
          )}
          <Link className={buttonClass(false)} to={paths.payoutBatches}>
            {text.all}
          </Link>
        </div>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {isOvertaken && (
        <Callout tone="wait" title={text.faster} isAlert>
          {text.fasterText}
        </Callout>
      )}
      {data?.pause && (
        <Callout tone="wait" title={text.paused}>
          {data.pause.message}
        </Callout>
      )}
      {data && (
        <div className={work.split}>
          <div className={work.stack}>
            <FactsPanel batch={data} />
            <Panel title={text.totals}>
              <Totals totals={data.totals} />
            </Panel>
          </div>
          <div className={work.stack}>
            <BatchActions batch={data} onOvertaken={() => setOvertaken(true)} />
            <ProgressPanel batch={data} />
          </div>
        </div>
      )}
      {data && <BatchRows batchId={batchId} isMoving={isMoving(data.status)} />}
    </Page>
  )
}

function FactsPanel({ batch }: { batch: PayoutBatchWithProgress }): ReactElement {
  const nameOfPerson = usePeople()
  return (
    <Panel>
      <p className={work.lead}>
        {formatCount(batch.row_count)} <small>{text.rows.toLowerCase()}</small>
        <BatchBadge status={batch.status} />
      </p>
      <Facts
        facts={[
          { label: text.creator, value: nameOfPerson(batch.created_by) },
          { label: text.created, value: <Moment at={batch.created_at} isExact /> },
          { label: text.reviewedBy, value: batch.reviewed_by !== null && nameOfPerson(batch.reviewed_by) },
          { label: text.decidedBy, value: batch.decided_by !== null && nameOfPerson(batch.decided_by) },
          { label: text.comments, value: batch.comments },
        ]}
      />
    </Panel>
  )
}

function ProgressPanel({ batch: { progress, row_count } }: { batch: PayoutBatchWithProgress }): ReactElement {
  const ended = progress.completed + progress.failed + progress.canceled
  return (
    <Panel title={text.progress}>
      <div className={work.decision}>
        <progress className={work.progress} max={row_count} value={ended} aria-label={text.progress} />
        <span className={ui.muted}>
          {formatCount(ended)} / {formatCount(row_count)}
        </span>
      </div>
      <Facts
        facts={Object.entries(text.parts).map(([part, label]) => ({
          label,
          value: formatCount(progress[part as keyof typeof progress]), // the same names
        }))}
      />
    </Panel>
  )
}
