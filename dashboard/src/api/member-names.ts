import { useQuery } from '@tanstack/react-query'
import { useIdentity, useMay } from '../shell/session.tsx'
import { api } from './client.ts'

const nameLimit = 500
const staleMs = 60_000

/** The members' names by id; undefined while loading, or if the person may not see members. */
export function useNamesById(): ReadonlyMap<string, string> | undefined {
  const { org_id } = useIdentity().me
  const { data } = useQuery({
    queryKey: ['members', org_id, 'names'],
    queryFn: async ({ signal }) => {
      const members = await api.members.list(org_id, { limit: 100 }, { signal }).toArray({ limit: nameLimit })
      return new Map(members.map((one) => [one.user_id, `${one.first_name} ${one.last_name}`]))
    },
    enabled: useMay('members:read'),
    staleTime: staleMs,
  })
  return data
}

/** A member's name, or the id if the member has left. */
export function useMemberNames(): (userId: string) => string {
  const names = useNamesById()
  return (userId) => names?.get(userId) ?? userId
}
