import { useQuery } from '@tanstack/react-query'
import { states } from '../messages/en/states.ts'
import { useIdentity, useMay } from '../shell/session.tsx'
import { api } from './client.ts'

const membersLimit = 500
const staleMs = 300_000
const shownDigits = 8

/** Names of people by their ids. Whoever is not a member, such as the operator, keeps the beginning of their id. */
export function usePeople(): (userId: string) => string {
  const { me } = useIdentity()
  const { data } = useQuery({
    queryKey: ['people', me.org_id],
    queryFn: async ({ signal }) => {
      const members = await api.members
        .list(me.org_id, { limit: 100 }, { signal })
        .toArray({ limit: membersLimit })
      return new Map(members.map((one) => [one.user_id, `${one.first_name} ${one.last_name}`]))
    },
    staleTime: staleMs,
    enabled: useMay('members:read'),
  })
  return (userId) => {
    const name = data?.get(userId) ?? userId.slice(0, shownDigits)
    return userId === me.user_id ? `${name} (${states.you})` : name
  }
}
