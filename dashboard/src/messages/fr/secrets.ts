import type { Translated } from '../translated.ts'
import type { secrets as english } from '../en/secrets.ts'

export const secrets: Translated<typeof english> = {
  once: 'Cette valeur n’est affichée qu’une seule fois. Conservez-la dès maintenant.',
  stored: 'Je l’ai conservée',
}
