import type { Translated } from '../translated.ts'
import type { nextStep as english } from '../en/next-step.ts'

/** What a payer has to do next, on the screen of a payment that was just started. */
export const nextStep: Translated<typeof english> = {
  titles: {
    redirect: 'Le payeur continue sur une autre page',
    pay_by_link: 'Le payeur continue sur une autre page',
    wait: 'Le payeur confirme sur son téléphone',
    bank_transfer: 'Le payeur fait un virement',
    make_transfer: 'Le client fait le transfert',
    collect_otp: 'Le payeur a reçu un code à usage unique',
  },
  other: 'La suite',
  redirectText: 'Ouvrez la page ou envoyez son adresse au payeur.',
  open: 'Ouvrir la page',
  address: 'Adresse de la page',
  waitText: 'Il n’y a rien à faire ici. Cette page affiche le résultat dès qu’il est connu.',
  transferText:
    'Transmettez ces informations telles quelles. Le paiement est effectué lorsque l’argent est arrivé.',
  otpText: 'Demandez-le au payeur. Il est transmis au prestataire et n’est pas enregistré.',
  otp: 'Code à usage unique',
  submitOtp: 'Soumettre le code',
  resend: 'Le renvoyer',
  resent: 'Un nouveau code est en route.',
  details: {
    account_name: 'Titulaire du compte',
    account_number: 'Numéro de compte',
    bank_name: 'Banque',
    bank_code: 'Code banque',
    sort_code: 'Sort code',
    iban: 'IBAN',
    wallet_address: 'Adresse du portefeuille',
    network: 'Réseau',
    memo: 'Mémo',
    reference: 'Référence',
    amount: 'Montant',
    expires_at: 'Jusqu’au',
  },
}
