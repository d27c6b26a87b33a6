//! Papers whose claims are measured, under the short names that the sources of claims begin with.

/// A paper.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its short name, as in `TR section 4.4`.
    pub short: &'static str,
    /// Authors.
    pub authors: &'static str,
    /// Title.
    pub title: &'static str,
    /// Place and year of publication.
    pub published: &'static str,
}

/// Every paper that a claim may name.
pub const PAPERS: [Paper; 7] = [
    Paper {
        short: "TR",
        authors: "Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin",
        title: "A New Paradigm for Minimax Search",
        published: "Technical Report EUR-CS-95-03, Erasmus University Rotterdam, 1995",
    },
    Paper {
        short: "IJCAI",
        authors: "Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin",
        title: "Best-First Fixed-Depth Game-Tree Search in Practice",
        published: "IJCAI 1995",
    },
    Paper {
        short: "INFO",
        authors: "Alexander Reinefeld, Jonathan Schaeffer and T. A. Marsland",
        title: "Information Acquisition in Minimal Window Search",
        published: "IJCAI 1985",
    },
    Paper {
        short: "BFM",
        authors: "Richard E. Korf and David Maxwell Chickering",
        title: "Best-First Minimax Search: Othello Results",
        published: "AAAI 1994",
    },
    Paper {
        short: "REAL",
        authors: "Jacek Mańdziuk and Daniel Osman",
        title: "Alpha-Beta Search Enhancements with a Real-Value Game-State Evaluation Function",
        published: "ICGA Journal, 2004",
    },
    Paper {
        short: "AAAI-96",
        authors: "Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin",
        title: "Exploiting Graph Properties of Game Trees",
        published: "AAAI 1996",
    },
    Paper {
        short: "BNS",
        authors: "Dmitrijs Rutko",
        title: "Fuzzified Algorithm for Game Tree Search with Statistical and Analytical Evaluation",
        published: "Scientific Papers, University of Latvia, volume 770, 2011",
    },
];

/// Part of a source: the paper it begins with, and the rest of the text.
#[derive(Debug, PartialEq, Eq)]
pub struct Citation<'a> {
    /// The paper, if it is known.
    pub paper: Option<&'static Paper>,
    /// The text after the short name, or all if there is none.
    pub rest: &'a str,
}

/// The parts of a source, which are separated by semicolons: `IJCAI 5.2, figure 5; TR figure 11`.
#[must_use]
pub fn citations(source: &str) -> Vec<Citation<'_>> {
    let read = |part| {
        let found = PAPERS.iter().find_map(|paper| {
            let rest: &str = str::strip_prefix(part, paper.short)?;
            rest.chars().next().is_none_or(|next| !next.is_alphanumeric()).then_some((paper, rest))
        });
        found.map_or(Citation { paper: None, rest: part }, |(paper, rest)| Citation {
            paper: Some(paper),
            rest,
        })
    };
    source.split("; ").map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::study::papers::all;
    use crate::lab::study::papers::experiment::Scale;

    #[test]
    fn a_source_names_its_papers() {
        let read = |source| -> Vec<(Option<&str>, &str)> {
            citations(source).iter().map(|part| (part.paper.map(|paper| paper.short), part.rest)).collect()
        };
        assert_eq!(
            read("IJCAI 5.2, figure 5; TR figure 11"),
            [(Some("IJCAI"), " 5.2, figure 5"), (Some("TR"), " figure 11")]
        );
        assert_eq!(read("BFM, Random Game Tree Results"), [(Some("BFM"), ", Random Game Tree Results")]);
        assert_eq!(read("TRUTH"), [(None, "TRUTH")]);
    }

    #[test]
    fn every_claim_has_a_paper_of_the_bibliography() {
        for experiment in all() {
            for claim in experiment.conclude(Scale::Full, &[]).unwrap().claims {
                let known = citations(claim.source).iter().all(|part| part.paper.is_some());
                assert!(known, "{}: {}", experiment.about().name, claim.source);
            }
        }
    }

    #[test]
    fn the_references_of_the_readme_have_the_same_short_names() {
        let readme = include_str!("../../../../README.md");
        let references = readme.split("## References").nth(1).unwrap();
        let references = references.split_whitespace().collect::<Vec<_>>().join(" ");
        for paper in &PAPERS {
            let (_, entry) = references.split_once(&format!(" {}: ", paper.short)).expect(paper.short);
            let title = entry.split('*').nth(1);
            assert_eq!(title, Some(paper.title), "{}", paper.short);
        }
    }
}
