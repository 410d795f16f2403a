import { escapeHtml, renderPage } from '../../../lib/text/html.ts'

interface PageTexts {
  title: (orgName: string, what: string) => string
  explain: string
  label: (what: string) => string
  wrong: string
  send: string
  notes: Record<'thanks' | 'answered' | 'expired', { title: string; text: string }>
}

const english: PageTexts = {
  title: (orgName, what) => `${orgName} asks for your ${what}`,
  explain: 'It is encrypted, and only those whom the organisation has allowed can read it.',
  label: (what) => `Your ${what}, eleven digits`,
  wrong: 'That is not a number of eleven digits. Please look again.',
  send: 'Send',
  notes: {
    thanks: { title: 'Thank you', text: 'Your answer is stored. You can close this page.' },
    answered: { title: 'This was answered already', text: 'The link works once. You can close this page.' },
    expired: { title: 'This link has expired', text: 'Ask whoever sent it to you for a new one.' },
  },
}

const french: PageTexts = {
  title: (orgName, what) => `${orgName} demande votre ${what}`,
  explain: 'Il est chiffré ; seules les personnes autorisées par l’organisation peuvent le lire.',
  label: (what) => `Votre ${what}, onze chiffres`,
  wrong: 'Ce n’est pas un numéro à onze chiffres. Veuillez vérifier.',
  send: 'Envoyer',
  notes: {
    thanks: { title: 'Merci', text: 'Votre réponse est enregistrée. Vous pouvez fermer cette page.' },
    answered: {
      title: 'Déjà répondu',
      text: 'Le lien fonctionne une seule fois. Vous pouvez fermer cette page.',
    },
    expired: { title: 'Ce lien a expiré', text: 'Demandez-en un nouveau à la personne qui vous l’a envoyé.' },
  },
}

const portuguese: PageTexts = {
  title: (orgName, what) => `${orgName} pede o seu ${what}`,
  explain: 'É cifrado; só quem a organização autorizou o pode ler.',
  label: (what) => `O seu ${what}, onze dígitos`,
  wrong: 'Não é um número de onze dígitos. Verifique, por favor.',
  send: 'Enviar',
  notes: {
    thanks: { title: 'Obrigado', text: 'A sua resposta foi guardada. Pode fechar esta página.' },
    answered: { title: 'Já foi respondido', text: 'A ligação funciona uma só vez. Pode fechar esta página.' },
    expired: { title: 'Esta ligação expirou', text: 'Peça uma nova a quem lha enviou.' },
  },
}

const textsOf = (language: string): PageTexts =>
  language === 'fr' ? french : language === 'pt' ? portuguese : english

/** Never repeats what was typed: a rejected number may be a real one with a typo. */
export function renderForm(
  language: string,
  page: { orgName: string; what: string; isWrong: boolean },
): string {
  const texts = textsOf(language)
  return renderPage({
    language,
    title: texts.title(page.orgName, page.what),
    body: `<p>${texts.explain}</p>
<form method="post" autocomplete="off">${page.isWrong ? `<p role="alert">${texts.wrong}</p>` : ''}
<label for="answer">${escapeHtml(texts.label(page.what))}</label>
<input id="answer" name="answer" inputmode="numeric" maxlength="20" required autocomplete="off">
<button>${texts.send}</button></form>`,
  })
}

export function renderNote(language: string, note: keyof PageTexts['notes']): string {
  const { title, text } = textsOf(language).notes[note]
  return renderPage({ language, title, body: `<p role="status">${text}</p>` })
}
