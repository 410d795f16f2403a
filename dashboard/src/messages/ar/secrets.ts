import type { Translated } from '../translated.ts'
import type { secrets as english } from '../en/secrets.ts'

export const secrets: Translated<typeof english> = {
  once: 'لا يُعرض إلا هذه المرة. احفظه الآن.',
  stored: 'لقد حفظته',
}
