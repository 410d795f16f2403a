import { useQuery } from '@tanstack/react-query'
import { useMay } from '../shell/session.tsx'
import { api } from './client.ts'

const nameLimit = 500
const staleMs = 60_000

/** The organisations' names by id, for the operator; undefined while loading and for everyone else. */
export function useOrganizationNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: ['organizations', 'names'],
    queryFn: async ({ signal }) => {
      const found = await api.organizations.list({ limit: 100 }, { signal }).toArray({ limit: nameLimit })
      return new Map(found.map(({ org_id, name }) => [org_id, name]))
    },
    enabled: useMay('platform:read'),
    staleTime: staleMs,
  })
  return data
}
