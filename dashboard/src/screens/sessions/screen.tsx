import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { call } from '../../api/client.ts'
import { sessionsKey, useSessions } from '../../api/queries.ts'
import type { ListedSession } from '../../api/types.ts'
import { en } from '../../messages/en.ts'
import { basePath, paths } from '../../paths.ts'
import { showToast } from '../../shell/toasts.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/money.tsx'
import { Page, Panel, Scroll } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import ui from '../../ui/ui.module.css'
import { describeBrowser } from './describe-browser.ts'

export function Screen(): ReactElement {
  const { data, error, refetch } = useSessions()
  const everywhere = useMutation({
    mutationFn: () => call('/auth/logout-everywhere', { method: 'POST' }),
    onSuccess: () => location.assign(`${basePath}${paths.signIn}?signed-out=1`),
    onError: (failure) => showToast(failure.message),
  })
  return (
    <Page
      title={en.sessions.title}
      aside={
        <Button disabled={everywhere.isPending} onClick={() => everywhere.mutate()}>
          {en.sessions.everywhere}
        </Button>
      }
    >
      <p className={ui.muted}>{en.sessions.text}</p>
      <Panel>
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={3} />}
        {data && <SessionTable sessions={data} />}
      </Panel>
    </Page>
  )
}

function SessionTable({ sessions }: { sessions: readonly ListedSession[] }): ReactElement {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: (sessionId: string) => call(`/auth/sessions/${sessionId}`, { method: 'DELETE' }),
    onSuccess: () => {
      showToast(en.sessions.ended)
      return client.invalidateQueries({ queryKey: sessionsKey })
    },
    onError: (failure) => showToast(failure.message),
  })
  return (
    <Scroll label={en.sessions.title}>
      <table className={ui.table}>
        <thead>
          <tr>
            <th scope="col">{en.sessions.browser}</th>
            <th scope="col">{en.sessions.address}</th>
            <th scope="col">{en.sessions.signedIn}</th>
            <th scope="col">{en.sessions.lastSeen}</th>
            <th scope="col">
              <span className={ui.visuallyHidden}>{en.sessions.end}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.session_id}>
              <td>{describeBrowser(session.user_agent) ?? en.sessions.unknownBrowser}</td>
              <td className={ui.number}>{session.ip}</td>
              <td>
                <Moment at={session.created_at} />
              </td>
              <td>
                <Moment at={session.last_seen_at} />
              </td>
              <td className={ui.end}>
                {session.is_current ? (
                  <span className={ui.muted}>{en.sessions.current}</span>
                ) : (
                  <Button disabled={end.isPending} onClick={() => end.mutate(session.session_id)}>
                    {en.sessions.end}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
