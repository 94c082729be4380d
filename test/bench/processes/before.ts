// The checkout that the second argument names, under a name of its own in what is reported.
import './gengraph.ts';
