/** What is said of a new password while it is typed. */
export const password = {
  missing: 'Please choose a password.',
  wrong: 'The password needs at least 10 characters.',
  advice:
    'At least 10 characters. Length counts most: three or four words that have nothing to do with each other are easy to remember and hard to guess. Capitals and symbols are welcome, not required. Choose one that you use nowhere else.',
  short: (length: number) => `${length} of at least 10 characters.`,
  common: 'This password, or one much like it, is among the first that are guessed. Please choose another one.',
  repetitive: 'A simple sequence or repetition is guessed quickly. Please choose another password.',
  related:
    'It is made of a name or an address of yours or of the institute, which is guessed quickly. Please choose another password.',
  fair: 'Long enough. A few more characters make it much safer.',
  good: 'Nicely long. That is what protects best.',
}
