use errare_choice::*; use errare_endgame::*; use errare_tables::*; use rayon::prelude::*; use shakmaty::ByColor;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u64 = std::env::args().nth(1).unwrap().parse()?;
    let lib = Library::new("/tmp/t4");
    let oracle = Oracle::new(&lib, Metric::Dtc);
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let analysis = Analysis::new(model.clone(), Grid::new(0.0,1.0,50.0)?, Prior::Uniform)?;
    for fen in ["K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1","2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1"] {
        let start = parse_fen(fen)?;
        let m = Match { oracle: &oracle, agents: ByColor{white: "player:20".parse()?, black: "infallible".parse()?}, setting: Setting{model: model.clone(), analysis: analysis.clone()}, analysis: analysis.clone(), ending: Ending::usual(Metric::Dtc, oracle.state(&start)?), start, seed: 1 };
        let t = std::time::Instant::now();
        let games: Vec<Played> = (0..n).into_par_iter().map(|i| m.play(i)).collect::<Result<_,_>>()?;
        let mean = games.iter().map(|g| f64::from(g.length())).sum::<f64>()/n as f64;
        let sd = (games.iter().map(|g| (f64::from(g.length())-mean).powi(2)).sum::<f64>()/(n-1) as f64).sqrt();
        let c = games.iter().map(|g| g.apparent.white).sum::<f64>()/n as f64;
        println!("{mean} {sd} se {} c {c} {:?}", sd/(n as f64).sqrt(), t.elapsed());
    }
    Ok(())
}
