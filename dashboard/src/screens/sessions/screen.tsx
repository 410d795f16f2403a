import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import {
  endSession,
  sessionsKey,
  signOutEverywhere,
  useSessions,
  type ListedSession,
} from '../../api/sessions.ts'
import { sessions } from '../../messages/generated/texts.ts'
import { basePath, paths } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Table, type Column } from '../../ui/list-page.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { describeBrowser } from './describe-browser.ts'

export function Screen(): ReactElement {
  const { data, error, refetch } = useSessions()
  const everywhere = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => location.assign(`${basePath}${paths.signIn}?signed-out=1`),
    onError: (failure) => showToast(failure.message),
  })
  return (
    <Page
      title={sessions.title}
      aside={
        <Button disabled={everywhere.isPending} onClick={() => everywhere.mutate()}>
          {sessions.everywhere}
        </Button>
      }
    >
      <p className={ui.muted}>{sessions.text}</p>
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={3} />}
        {data && <SessionTable rows={data} />}
      </Panel>
    </Page>
  )
}

function SessionTable({ rows }: { rows: readonly ListedSession[] }): ReactElement {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => {
      showToast(sessions.ended)
      return client.invalidateQueries({ queryKey: sessionsKey })
    },
    onError: (failure) => showToast(failure.message),
  })
  const columns: readonly Column<ListedSession>[] = [
    {
      label: sessions.browser,
      cell: ({ user_agent }) => describeBrowser(user_agent) ?? sessions.unknownBrowser,
    },
    { label: sessions.address, cell: ({ ip }) => <span className={ui.number}>{ip}</span> },
    { label: sessions.signedIn, cell: ({ created_at }) => <Moment at={created_at} /> },
    { label: sessions.lastSeen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
    {
      label: sessions.end,
      isEnd: true,
      cell: ({ session_id, is_current }) =>
        is_current ? (
          <span className={ui.muted}>{sessions.current}</span>
        ) : (
          <Button disabled={end.isPending} onClick={() => end.mutate(session_id)}>
            {sessions.end}
          </Button>
        ),
    },
  ]
  return <Table title={sessions.title} columns={columns} rows={rows} keyOf={({ session_id }) => session_id} />
}
