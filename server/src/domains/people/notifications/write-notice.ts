import type { Language } from './rules.ts'
import {
  batchReview,
  changeRequested,
  disputeDue,
  paymentReview,
  refundReview,
} from './write-approval-notice.ts'
import { hello, type NoticeText } from './write-greeting.ts'

const memberWelcome: Record<Language, NoticeText> = {
  en: ({ firstName = '', orgName = '', role = '' }) => ({
    subject: `Welcome to ${orgName} on Switchyard`,
    greeting: hello.en(firstName),
    paragraphs: [
      `you are now a member of ${orgName} with the role ${role}.`,
      `If you did not expect this, tell an administrator of ${orgName}.`,
    ],
  }),
  fr: ({ firstName = '', orgName = '', role = '' }) => ({
    subject: `Bienvenue chez ${orgName} sur Switchyard`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `vous êtes maintenant membre de ${orgName} avec le rôle ${role}.`,
      `Si vous ne vous y attendiez pas, prévenez un administrateur de ${orgName}.`,
    ],
  }),
  pt: ({ firstName = '', orgName = '', role = '' }) => ({
    subject: `Bem-vindo à ${orgName} no Switchyard`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `agora é membro de ${orgName} com a função ${role}.`,
      `Se não esperava esta mensagem, avise um administrador de ${orgName}.`,
    ],
  }),
}

const memberInvited: Record<Language, NoticeText> = {
  en: ({ orgName = '', role = '', days = '' }) => ({
    subject: `You are invited to ${orgName} on Switchyard`,
    greeting: hello.en(''),
    paragraphs: [
      `${orgName} invites you to join it on Switchyard with the role ${role}.`,
      `The link works once and for ${days} days. If you did not expect this, ignore it: nothing happens.`,
    ],
    action: 'Look at the invitation',
  }),
  fr: ({ orgName = '', role = '', days = '' }) => ({
    subject: `Vous êtes invité à rejoindre ${orgName} sur Switchyard`,
    greeting: hello.fr(''),
    paragraphs: [
      `${orgName} vous invite à la rejoindre sur Switchyard avec le rôle ${role}.`,
      `Le lien fonctionne une seule fois, pendant ${days} jours. Si vous ne vous y attendiez pas, ignorez ce message.`,
    ],
    action: 'Voir l’invitation',
  }),
  pt: ({ orgName = '', role = '', days = '' }) => ({
    subject: `Foi convidado para ${orgName} no Switchyard`,
    greeting: hello.pt(''),
    paragraphs: [
      `${orgName} convida-o a juntar-se a ela no Switchyard com a função ${role}.`,
      `A ligação funciona uma só vez, durante ${days} dias. Se não esperava esta mensagem, ignore-a.`,
    ],
    action: 'Ver o convite',
  }),
}

const webhookDisabled: Record<Language, NoticeText> = {
  en: ({ firstName = '', endpointUrl = '' }) => ({
    subject: 'A webhook endpoint was disabled',
    greeting: hello.en(firstName),
    paragraphs: [
      `the endpoint ${endpointUrl} has not accepted one event for five days and was disabled.`,
      'Repair it, set it to active again, and recover the events that it missed.',
    ],
  }),
  fr: ({ firstName = '', endpointUrl = '' }) => ({
    subject: 'Un point de terminaison de webhook a été désactivé',
    greeting: hello.fr(firstName),
    paragraphs: [
      `le point de terminaison ${endpointUrl} n’a accepté aucun événement depuis cinq jours et a été désactivé.`,
      'Réparez-le, réactivez-le, puis récupérez les événements qu’il a manqués.',
    ],
  }),
  pt: ({ firstName = '', endpointUrl = '' }) => ({
    subject: 'Um endpoint de webhook foi desativado',
    greeting: hello.pt(firstName),
    paragraphs: [
      `o endpoint ${endpointUrl} não aceitou nenhum evento durante cinco dias e foi desativado.`,
      'Repare-o, volte a ativá-lo e recupere os eventos que perdeu.',
    ],
  }),
}

const kybDecided: Record<Language, NoticeText> = {
  en: ({ firstName = '', orgName = '', outcome = '', reason = '' }) => ({
    subject: `${orgName}: business verification ${outcome}`,
    greeting: hello.en(firstName),
    paragraphs: [`the verification of ${orgName} was ${outcome}.`, ...sentence(reason)],
  }),
  fr: ({ firstName = '', orgName = '', outcome = '', reason = '' }) => ({
    subject: `${orgName} : vérification de l’entreprise ${outcome === 'approved' ? 'approuvée' : 'refusée'}`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `la vérification de ${orgName} a été ${outcome === 'approved' ? 'approuvée' : 'refusée'}.`,
      ...sentence(reason),
    ],
  }),
  pt: ({ firstName = '', orgName = '', outcome = '', reason = '' }) => ({
    subject: `${orgName}: verificação da empresa ${outcome === 'approved' ? 'aprovada' : 'recusada'}`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `a verificação de ${orgName} foi ${outcome === 'approved' ? 'aprovada' : 'recusada'}.`,
      ...sentence(reason),
    ],
  }),
}

const verificationRequest: Record<Language, NoticeText> = {
  en: ({ firstName = '', orgName = '', what = '', reference = '', message = '' }) => ({
    subject: `${orgName} asks for your ${what}`,
    greeting: hello.en(firstName),
    paragraphs: [
      `${orgName} needs your ${what} to carry out the payment ${reference}.`,
      ...sentence(message),
      'Enter it on the page behind this link only. The link works once. Nobody will ask you for it by phone or mail.',
    ],
    action: `Enter your ${what}`,
  }),
  fr: ({ firstName = '', orgName = '', what = '', reference = '', message = '' }) => ({
    subject: `${orgName} demande votre ${what}`,
    greeting: hello.fr(firstName),
    paragraphs: [
      `${orgName} a besoin de votre ${what} pour exécuter le paiement ${reference}.`,
      ...sentence(message),
      'Saisissez-le uniquement sur la page de ce lien, qui fonctionne une seule fois. Personne ne vous le demandera par téléphone ou par courriel.',
    ],
    action: `Saisir votre ${what}`,
  }),
  pt: ({ firstName = '', orgName = '', what = '', reference = '', message = '' }) => ({
    subject: `${orgName} pede o seu ${what}`,
    greeting: hello.pt(firstName),
    paragraphs: [
      `${orgName} precisa do seu ${what} para executar o pagamento ${reference}.`,
      ...sentence(message),
      'Introduza-o apenas na página desta ligação, que funciona uma só vez. Ninguém lho pedirá por telefone ou correio.',
    ],
    action: `Introduzir o seu ${what}`,
  }),
}

const verificationAnswered: Record<Language, NoticeText> = {
  en: ({ what = '', reference = '' }) => ({
    subject: `The ${what} for ${reference} is here`,
    greeting: hello.en(''),
    paragraphs: [`your request for a ${what} about the payment ${reference} was answered.`],
  }),
  fr: ({ what = '', reference = '' }) => ({
    subject: `Le ${what} pour ${reference} est arrivé`,
    greeting: hello.fr(''),
    paragraphs: [`votre demande de ${what} pour le paiement ${reference} a reçu une réponse.`],
  }),
  pt: ({ what = '', reference = '' }) => ({
    subject: `O ${what} para ${reference} chegou`,
    greeting: hello.pt(''),
    paragraphs: [`o seu pedido de ${what} para o pagamento ${reference} foi respondido.`],
  }),
}

const sentence = (text: string): string[] => (text === '' ? [] : [text])

const facts = ['merchant', 'order', 'amount', 'method', 'at', 'reference'] as const

/** The payment page writes the words, in its own languages; here they only get their places. */
const receipt: NoticeText = (variables) => {
  const { subject = '', greeting = '', text = '', why = '' } = variables
  const rows = facts.map((fact) => [variables[`${fact}Label`] ?? '', variables[fact] ?? ''] as const)
  return { subject, greeting, paragraphs: [text, why], rows: rows.filter(([, value]) => value !== '') }
}

const paymentReceipt: Record<Language, NoticeText> = { en: receipt, fr: receipt, pt: receipt }

export const noticeTexts = {
  'member-welcome': memberWelcome,
  'member-invited': memberInvited,
  'webhook-disabled': webhookDisabled,
  'kyb-decided': kybDecided,
  'verification-request': verificationRequest,
  'verification-answered': verificationAnswered,
  'payment-review': paymentReview,
  'refund-review': refundReview,
  'change-requested': changeRequested,
  'dispute-due': disputeDue,
  'batch-review': batchReview,
  'payment-receipt': paymentReceipt,
} as const

export type TemplateName = keyof typeof noticeTexts
