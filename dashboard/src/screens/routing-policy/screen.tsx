import type { ChangeRequest, RoutingPolicySummary } from '@switchyard/sdk'
import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { routingPolicies as text, whatIf } from '../../messages/generated/texts.ts'
import { changeRequestPath } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import ui from '../../ui/ui.module.css'
import { Editor } from './editor.tsx'
import { History } from './history.tsx'
import { Overview } from './overview.tsx'
import { emptyPolicy, type Policy } from './policy.ts'
import styles from './policy.module.css'
import { useVersion, useVersions } from './use-policy.ts'
import { WhatIf } from './what-if.tsx'

export function Screen(): ReactElement {
  const { data: versions, error, refetch } = useVersions()
  return (
    <Page title={text.title}>
      <p className={ui.muted}>{text.text}</p>
      {error && (
        <Panel>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Panel>
      )}
      {!versions && !error && <Skeleton lines={8} />}
      {versions && <Loaded versions={versions} />}
    </Page>
  )
}

const inState = (versions: readonly RoutingPolicySummary[], state: string): number | undefined =>
  versions.find((one) => one.state === state)?.version

function Loaded({ versions }: { versions: readonly RoutingPolicySummary[] }): ReactElement {
  const mayWrite = useMay('provider-configs:write')
  const publishedNo = inState(versions, 'published')
  const draftNo = inState(versions, 'draft')
  const published = useVersion(publishedNo)
  const draft = useVersion(draftNo)
  const [edited, setEdited] = useState<Policy>()
  const [held, setHeld] = useState<ChangeRequest>()
  const error = published.error ?? draft.error
  const isLoading = (publishedNo !== undefined && !published.data) || (draftNo !== undefined && !draft.data)
  if (error) return <ErrorState error={error} onRetry={() => void published.refetch()} />
  if (isLoading) return <Skeleton lines={8} />
  const stored = draft.data?.document ?? published.data?.document ?? emptyPolicy
  return (
    <>
      {held && <Held request={held} />}
      <Tabs
        label={text.views}
        tabs={[
          {
            id: 'overview',
            label: text.overview,
            content: (
              <div className={styles.stack}>
                <Overview published={published.data} draft={draft.data} onHeld={setHeld} />
                <History versions={versions} />
              </div>
            ),
          },
          {
            id: 'editor',
            label: text.editor,
            content: (
              <Editor policy={edited ?? stored} isChanged={edited !== undefined} onChange={setEdited} />
            ),
          },
          ...(mayWrite
            ? [{ id: 'what-if', label: whatIf.title, content: <WhatIf policy={edited ?? stored} /> }]
            : []),
        ]}
      />
    </>
  )
}

const Held = ({ request }: { request: ChangeRequest }): ReactElement => (
  <Callout tone="wait" title={text.held} isAlert>
    {text.heldText} <Link to={changeRequestPath(request.org_id, request.request_id)}>{text.openRequest}</Link>
  </Callout>
)
