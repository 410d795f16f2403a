import type { Translated } from '../translated.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: Translated<typeof english> = {
  title: 'Connexion à Switchyard',
  text: 'Vous continuez chez le fournisseur d’identité de votre organisation.',
  button: 'Se connecter',
  signedOut: 'Vous êtes déconnecté.',
  errors: {
    expired:
      'La connexion a pris trop de temps ou a été commencée dans un autre navigateur. Veuillez vous reconnecter.',
    refused: 'Le fournisseur d’identité n’a pas confirmé votre identité. Veuillez vous reconnecter.',
    'not-a-member':
      'Vous n’êtes membre d’aucune organisation ici. Demandez une invitation à un administrateur.',
    'too-weak':
      'Votre rôle exige une connexion plus forte, par exemple avec un second facteur. Reconnectez-vous de cette façon.',
    unavailable:
      'Le fournisseur d’identité ne répond pas pour le moment. Veuillez réessayer dans un instant.',
  },
}
