import type { RoutingSimulation } from '@switchyard/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Policy } from './policy.ts'

const pollMs = 1_000
const dayMs = 86_400_000
/** The server accepts at most 90 days, so this leaves a margin for the duration of the request. */
const marginMs = 60_000

export const isOver = ({ status }: RoutingSimulation): boolean =>
  status === 'completed' || status === 'failed'

interface Simulation {
  simulation: RoutingSimulation | undefined
  error: Error | null
  isStarting: boolean
  start: (policy: Policy, days: number) => void
  retry: () => void
}

/** Starts a simulation and polls it until it has finished. */
export function useSimulation(): Simulation {
  const [id, setId] = useState<string>()
  const begin = useMutation({
    mutationFn: async ({ policy, days }: { policy: Policy; days: number }) => {
      const from = new Date(Date.now() - days * dayMs + marginMs).toISOString()
      // The SDK's method would send metadata as decimals.
      const answer = await api.request('POST', '/v1/routing/simulate', { body: { policy, from } })
      return (answer as { data: RoutingSimulation }).data // the server validates its responses
    },
    onSuccess: ({ simulation_id: started }) => setId(started),
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['routing-simulations', id],
    queryFn: ({ signal }) => api.routingSimulations.get(id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : pollMs),
  })
  return {
    simulation: data,
    error: begin.error ?? error,
    isStarting: begin.isPending,
    start: (policy, days) => begin.mutate({ policy, days }),
    retry: () => void refetch(),
  }
}
