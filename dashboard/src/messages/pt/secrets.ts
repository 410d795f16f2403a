import type { Translated } from '../translated.ts'
import type { secrets as english } from '../en/secrets.ts'

export const secrets: Translated<typeof english> = {
  once: 'Este valor só é mostrado esta vez. Guarde-o agora.',
  stored: 'Já o guardei',
}
