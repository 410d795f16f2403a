import type { PaymentAwaitingReview } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { api } from '../../api/client.ts'
import { approval as text } from '../../messages/generated/texts.ts'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'

interface TrailProps {
  paymentId: string
  initiator: PaymentAwaitingReview['initiated_by'] | undefined
}

/** Who initiated it and who has decided, in order. */
export function TrailPanel({ paymentId, initiator }: TrailProps): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'trail', paymentId],
    queryFn: ({ signal }) => api.payments.timeline(paymentId, { signal }),
  })
  const reviews = data?.filter(({ kind }) => kind === 'review') ?? []
  return (
    <Panel title={text.trail}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data && (
        <ol className={work.steps}>
          {initiator && (
            <li>
              {initiator.name ?? text.formerMember} {text.initiated}
            </li>
          )}
          {reviews.map(({ entry_id, at, actors, summary, data: { comments } }) => (
            <li key={entry_id}>
              <span>
                {actors[0]?.name ?? text.formerMember}{' '}
                {summary.endsWith('approve') ? text.approved : text.rejected}
              </span>
              {typeof comments === 'string' && comments !== '' && <q>{comments}</q>}
              <span className={ui.muted}>
                <Moment at={at} isExact />
              </span>
            </li>
          ))}
          {reviews.length === 0 && <li className={ui.muted}>{text.nothingYet}</li>}
        </ol>
      )}
    </Panel>
  )
}
