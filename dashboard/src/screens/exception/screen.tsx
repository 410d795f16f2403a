import type { ExceptionWithNotes } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link, useParams } from 'react-router'
import { api } from '../../api/client.ts'
import { usePeople } from '../../api/use-people.ts'
import { entryOf, nameOf } from '../../messages/name-of.ts'
import { exception as text, exceptionKinds, exceptions, terms } from '../../messages/generated/texts.ts'
import { paths, paymentPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Money } from '../../ui/money.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import { ActionsPanel } from './actions.tsx'
import { withoutCalls } from './suggestion.ts'

export function Screen(): ReactElement {
  const { exceptionId = '' } = useParams()
  const mayWrite = useMay('exceptions:write')
  const { data, error, refetch } = useQuery({
    queryKey: ['exceptions', 'one', exceptionId],
    queryFn: ({ signal }) => api.exceptions.get(exceptionId, { signal }),
  })
  const kind = data && entryOf(exceptionKinds, data.kind)
  return (
    <Page
      title={kind?.name ?? data?.kind.replaceAll('_', ' ') ?? exceptions.title}
      aside={
        <Link className={buttonClass(false)} to={`${paths.exceptions}?status=open`}>
          {text.all}
        </Link>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <div className={work.split}>
          <div className={work.stack}>
            <Panel title={data.summary}>
              <div className={work.prose}>{kind && <p className={ui.muted}>{kind.meaning}</p>}</div>
            </Panel>
            <Panel title={text.todo}>
              <p className={work.prose}>{withoutCalls(data.suggested_action)}</p>
            </Panel>
            <NotesPanel exception={data} />
          </div>
          <div className={work.stack}>
            {data.status === 'open' && mayWrite && <ActionsPanel exception={data} />}
            <FactsPanel exception={data} />
          </div>
        </div>
      )}
    </Page>
  )
}

function FactsPanel({ exception }: { exception: ExceptionWithNotes }): ReactElement {
  const nameOfPerson = usePeople()
  const { held, payment_id, provider, assignee_id, status, resolution, closed_by, closed_at } = exception
  return (
    <Panel title={text.facts}>
      <Facts
        facts={[
          {
            label: exceptions.status,
            value: (
              <Badge
                tone={status === 'open' ? 'wait' : 'good'}
                text={status === 'open' ? exceptions.statuses.open : exceptions.statuses.closed}
              />
            ),
          },
          { label: text.held, value: held && <Money amount={held.amount} currency={held.currency} /> },
          { label: text.provider, value: provider && nameOf(terms.provider, provider) },
          {
            label: text.payment,
            value: payment_id !== null && <Link to={paymentPath(payment_id)}>{text.openPayment}</Link>,
          },
          { label: text.raised, value: <Moment at={exception.created_at} /> },
          {
            label: text.assignee,
            value: assignee_id === null ? exceptions.nobody : nameOfPerson(assignee_id),
          },
          { label: text.resolution, value: resolution },
          {
            label: text.closedBy,
            value: status === 'closed' && (closed_by === null ? text.service : nameOfPerson(closed_by)),
          },
          { label: text.closed, value: closed_at !== null && <Moment at={closed_at} /> },
        ]}
      />
    </Panel>
  )
}

function NotesPanel({ exception: { notes } }: { exception: ExceptionWithNotes }): ReactElement {
  const nameOfPerson = usePeople()
  return (
    <Panel title={text.notes}>
      {notes.length === 0 && <p className={`${work.prose} ${ui.muted}`}>{text.noNotes}</p>}
      <ol className={work.steps}>
        {notes.map(({ note_id, note, user_id, created_at }) => (
          <li key={note_id}>
            {note}
            <span className={ui.muted}>
              {nameOfPerson(user_id)} · <Moment at={created_at} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
