import type { PaymentRecord } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { payment as text, states } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { formatSeries, timeZone } from '../../ui/format.ts'
import { JsonView } from '../../ui/json-view.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Actions } from './actions.tsx'
import { Head } from './head.tsx'
import { Lanes } from './lanes.tsx'
import { NextStepPanel } from './next-step-panel.tsx'
import { readNextStep } from './next-step.ts'
import styles from './payment.module.css'
import { Side } from './side.tsx'
import { TimelineList } from './timeline-list.tsx'
import { usePayment, useTimeline, type Timeline } from './use-payment.ts'

/** The headline first, then the details. */
export function Screen(): ReactElement {
  const { paymentId = '' } = useParams()
  const nextStep = readNextStep(useLocation().state)
  const { data: record, error, refetch } = usePayment(paymentId)
  const timeline = useTimeline(paymentId)
  const entries = timeline.data?.data ?? []
  return (
    <Page
      title={record?.client_reference ?? paymentId}
      above={<Link to={paths.payments}>{text.back}</Link>}
      beside={record && <Status status={record.status} />}
      aside={record && timeline.data && <Actions record={record} entries={entries} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!record && !error && <Skeleton lines={8} />}
      {record && (
        <>
          <Head record={record} timeline={timeline.data} />
          {nextStep && nextStep.action !== '' && record.status === 'pending' && (
            <NextStepPanel key={paymentId} record={record} first={nextStep} />
          )}
          <div className={styles.columns}>
            <Tabs
              label={text.views}
              tabs={[
                {
                  id: 'timeline',
                  label: text.timeline,
                  content: (
                    <>
                      {timeline.error && (
                        <ErrorState error={timeline.error} onRetry={() => void timeline.refetch()} />
                      )}
                      {timeline.isPending && <Skeleton lines={8} />}
                      {timeline.data && <Evidence record={record} timeline={timeline.data} />}
                    </>
                  ),
                },
                { id: 'json', label: text.json, content: <JsonView value={record} label={text.json} /> },
              ]}
            />
            <Side record={record} entries={entries} />
          </div>
        </>
      )}
    </Page>
  )
}

/** The lanes and the list. An entry that is hovered in one is highlighted in the other. */
function Evidence({ record, timeline }: { record: PaymentRecord; timeline: Timeline }): ReactElement {
  const { hash } = useLocation()
  const [pointed, setPointed] = useState<string>()
  const active = pointed ?? decodeURIComponent(hash.slice(1))
  const { data: entries, meta } = timeline
  const { archived_kinds: archived = [] } = meta
  return (
    <div className={styles.evidence}>
      <Panel>
        <Lanes
          entries={entries}
          isInbound={record.direction === 'inbound'}
          active={active}
          onPoint={setPointed}
        />
      </Panel>
      <TimelineList entries={entries} active={active} onPoint={setPointed} />
      {meta.truncated_kinds.length > 0 && (
        <p className={styles.note}>
          {text.truncated(formatSeries(meta.truncated_kinds.map((kind) => nameOf(text.kind, kind))))}
        </p>
      )}
      {archived.length > 0 && (
        <p className={styles.note}>
          {text.archived(formatSeries(archived.map((kind) => nameOf(text.kind, kind))))}
        </p>
      )}
      <p className={styles.note}>
        {states.times} {timeZone()}
      </p>
    </div>
  )
}
