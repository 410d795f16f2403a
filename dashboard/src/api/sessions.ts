import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { UsersMeResult } from '@switchyard/sdk'
import { api } from './client.ts'

interface Session {
  session_id: string
  org_id: string
  ip: string
  user_agent: string | null
  last_seen_at: string
  ends_at: string
  expires_at: string
  created_at: string
}

interface CurrentSession extends Session {
  organizations: { org_id: string; name: string; role: string }[]
}

export interface ListedSession extends Session {
  is_current: boolean
}

export interface Identity {
  me: UsersMeResult
  session: CurrentSession
}

export const meKey = ['me'] as const
export const sessionsKey = ['sessions'] as const

/** The endpoints of sessions are not part of the public API, so the SDK has no methods for them. */
async function read<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const body = await api.request('GET', path, { signal })
  return (body as { data: Data }).data // the server validates its responses
}

export async function fetchIdentity(): Promise<Identity> {
  const [me, session] = await Promise.all([api.users.me(), read<CurrentSession>('/auth/session')])
  return { me, session }
}

export const useSessions = (): UseQueryResult<ListedSession[]> =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => read<ListedSession[]>('/auth/sessions', signal),
  })

export const endSession = (sessionId: string): Promise<unknown> =>
  api.request('DELETE', `/auth/sessions/${sessionId}`)

export const signOut = (): Promise<unknown> => api.request('POST', '/auth/logout')

export const signOutEverywhere = (): Promise<unknown> => api.request('POST', '/auth/logout-everywhere')

export const switchOrganization = (orgId: string): Promise<unknown> =>
  api.request('POST', '/auth/organization', { body: { org_id: orgId } })
