import type { Translated } from '../translated.ts'
import type { secrets as english } from '../en/secrets.ts'

export const secrets: Translated<typeof english> = {
  once: 'Inaonyeshwa mara hii pekee. Ihifadhi sasa.',
  stored: 'Nimeihifadhi',
}
