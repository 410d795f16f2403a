import { useMutation } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { states } from '../messages/generated/texts.ts'
import { showToast } from '../shell/toasts.tsx'
import { Button } from './button.tsx'

interface ExportButtonProps {
  csv: () => Promise<ReadableStream<Uint8Array>>
  /** The name of the file, to which the date is added. */
  name: string
  isDisabled: boolean
}

/** Saves a list as a file. A plain link cannot, because requests of a session need custom headers. */
export function ExportButton({ csv, name, isDisabled }: ExportButtonProps): ReactElement {
  const save = useMutation({
    mutationFn: async () => {
      const url = URL.createObjectURL(await new Response(await csv()).blob())
      const link = document.createElement('a')
      link.href = url
      link.download = `${name.toLowerCase().replaceAll(' ', '-')}-${new Date().toISOString().slice(0, 10)}.csv`
      link.click()
      URL.revokeObjectURL(url)
    },
    onError: (error) => showToast(error.message),
  })
  return (
    <Button disabled={isDisabled || save.isPending} onClick={() => save.mutate()}>
      {save.isPending ? states.exporting : states.export}
    </Button>
  )
}
