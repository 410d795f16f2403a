import { ApiError } from '@switchyard/sdk'
import { useQuery } from '@tanstack/react-query'
import { createContext, use, type ReactElement, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { showOrganization } from '../api/client.ts'
import { fetchIdentity, meKey, type Identity } from '../api/sessions.ts'
import { paths } from '../paths.ts'
import { ErrorState, Skeleton } from '../ui/states.tsx'
import { untilFirstScreen } from './first-screen.ts'

export type Permission = Identity['me']['permissions'][number]

const IdentityContext = createContext<Identity | undefined>(undefined)

/** The signed-in person. Available only below SessionGate. */
export function useIdentity(): Identity {
  const identity = use(IdentityContext)
  if (!identity) throw new Error('nobody is signed in here')
  return identity
}

export const useMay = (permission: Permission): boolean => useIdentity().me.permissions.includes(permission)

/** Shows its children to people who are signed in, and the sign-in page to everyone else. */
export function SessionGate({ children }: { children: ReactNode }): ReactElement {
  const location = useLocation()
  const { data, error, refetch } = useQuery({
    queryKey: meKey,
    queryFn: async () => {
      showOrganization(undefined)
      const [identity] = await Promise.all([fetchIdentity(), untilFirstScreen()])
      showOrganization(identity.me.org_id)
      return identity
    },
    staleTime: Infinity,
    retry: false,
  })
  if (data) return <IdentityContext value={data}>{children}</IdentityContext>
  if (error instanceof ApiError && error.status === 401) {
    const returnTo = `${location.pathname}${location.search}`
    return <Navigate to={`${paths.signIn}?return_to=${encodeURIComponent(returnTo)}`} replace />
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <Skeleton lines={3} />
}
