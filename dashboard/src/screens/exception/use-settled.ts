import { useQueryClient } from '@tanstack/react-query'
import type { ExceptionWithNotes } from '@switchyard/sdk'
import { showToast } from '../../shell/toasts.tsx'

export interface ActionProps {
  exception: ExceptionWithNotes
  onClose: () => void
}

/** Shows what was done and reloads what it changed. */
export function useSettled(): (done: string) => Promise<void> {
  const client = useQueryClient()
  return async (done) => {
    showToast(done)
    await Promise.all(
      ['exceptions', 'approvals', 'payment', 'waiting'].map((name) =>
        client.invalidateQueries({ queryKey: [name] }),
      ),
    )
  }
}
